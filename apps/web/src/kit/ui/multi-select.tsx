import { Autocomplete, TextField as MuiTextField } from '@mui/material'
import { ChevronDown } from 'lucide-react'
import { Themed } from '../theme/theme.tsx'
import { coarsePointer, colors, floatingShadow, radius, TOUCH_PX } from '../theme/tokens.ts'
import { Chip } from './chip.tsx'
import { useControlsOff } from './controls-off.ts'
import type { FieldIds } from './field.tsx'
import css from './multi-select.module.css'

export interface MultiSelectProps {
  values: readonly string[]
  onChange: (values: string[]) => void
  options: readonly string[]
  /** Further ones cannot be chosen. */
  most: number
  /** 'Add a coin' */
  placeholder: string
  /** In the open list where no choice is left. */
  emptyText?: string
  disabled?: boolean
}

/** The control of a MultiSelectField. */
export function MultiSelect({
  ids: { controlId, describedBy, invalid },
  values,
  onChange,
  options,
  most,
  placeholder,
  emptyText = 'Nothing to choose from',
  disabled = false,
}: MultiSelectProps & { ids: FieldIds }) {
  const isOff = useControlsOff() || disabled
  const isFull = values.length >= most
  return (
    <Themed>
      <Autocomplete
        multiple
        autoHighlight
        disableCloseOnSelect={!isFull}
        filterSelectedOptions
        disableClearable
        disabled={isOff}
        id={controlId}
        value={[...values]}
        options={[...new Set([...options, ...values])]}
        getOptionDisabled={() => isFull}
        noOptionsText={emptyText}
        popupIcon={<ChevronDown />}
        onChange={(_, next) => onChange([...new Set(next)].slice(0, most))}
        renderValue={(chosen, getItemProps) =>
          chosen.map((value, index) => {
            const { key, onDelete } = getItemProps({ index })
            return (
              <span key={key} className={css.chip}>
                <Chip label={value} {...(!isOff && { onRemove: () => onDelete({}) })} />
              </span>
            )
          })
        }
        renderInput={({ slotProps, ...params }) => (
          <MuiTextField
            {...params}
            hiddenLabel
            error={invalid}
            placeholder={isFull ? '' : placeholder}
            slotProps={{
              ...slotProps,
              htmlInput: { ...slotProps.htmlInput, 'aria-describedby': describedBy },
            }}
          />
        )}
        slotProps={{
          paper: { sx: menuStyle },
          listbox: { sx: { maxHeight: 320, p: '3px' } },
          // All else is out of reach while a dialog is open, which its fixed place lets it reach out of.
          popper: {
            container: () => document.querySelector<HTMLElement>('dialog[open]') ?? document.body,
            popperOptions: { strategy: 'fixed' },
          },
        }}
        sx={isFull ? [inputStyle, fullStyle] : inputStyle}
      />
    </Themed>
  )
}

const inputStyle = {
  '& .MuiOutlinedInput-root': { p: '4px', pr: '36px !important', gap: '4px 6px' },
  '& .MuiAutocomplete-input': { p: '4px 6px !important', minWidth: '90px !important' },
  '& .MuiAutocomplete-endAdornment': { right: '6px !important' },
  '& .MuiAutocomplete-popupIndicator': { width: 26, height: 26, color: colors.text2 },
} as const

/** Nothing more is typed: no line of its own for it. */
const fullStyle = {
  '& .MuiAutocomplete-input': { minWidth: '2px !important', width: '2px !important', px: '0 !important' },
} as const

const menuStyle = {
  mt: 0.75,
  backgroundColor: colors.raised,
  border: `1px solid ${colors.buttonEdge}`,
  borderRadius: `${radius.card}px`,
  boxShadow: floatingShadow,
  '& .MuiAutocomplete-noOptions': { color: colors.text2 },
  '& .MuiAutocomplete-option': { minHeight: 34, borderRadius: `${radius.chip}px`, px: '10px !important' },
  '& .MuiAutocomplete-option.Mui-focused': { backgroundColor: `${colors.selected} !important` },
  [coarsePointer]: { '& .MuiAutocomplete-option': { minHeight: TOUCH_PX } },
} as const
