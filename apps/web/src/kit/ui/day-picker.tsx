import { AdapterDayjs } from '@mui/x-date-pickers/AdapterDayjs'
import { DatePicker } from '@mui/x-date-pickers/DatePicker'
import { LocalizationProvider } from '@mui/x-date-pickers/LocalizationProvider'
import dayjs, { type Dayjs } from 'dayjs'
import utc from 'dayjs/plugin/utc'
import { Calendar, ChevronDown, ChevronLeft, ChevronRight } from 'lucide-react'
import { type FocusEvent, useState } from 'react'
import { Themed } from '../theme/theme.tsx'
import { coarsePointer, colors, floatingShadow, radius, TOUCH_PX, typeScale } from '../theme/tokens.ts'
import { useControlsOff } from './controls-off.ts'
import type { FieldIds } from './field.tsx'

dayjs.extend(utc)

export interface DayPickerProps {
  /** Start of the day in ms UTC; null is an empty field. */
  value: number | null
  onChange: (ms: number | null) => void
  minMs?: number
  maxMs?: number
  disabled?: boolean
}

const CalendarIcon = () => <Calendar />
const icons = {
  openPickerIcon: CalendarIcon,
  leftArrowIcon: () => <ChevronLeft />,
  rightArrowIcon: () => <ChevronRight />,
  switchViewIcon: () => <ChevronDown />,
}
const placeholders = {
  fieldDayPlaceholder: () => 'dd',
  fieldMonthPlaceholder: () => 'Mon',
  fieldYearPlaceholder: () => 'yyyy',
}
const dayOf = (ms: number) => dayjs.utc(ms)

/** The control of a DateField. */
export function DayPicker({
  label,
  ids: { labelId, describedBy, invalid },
  value,
  onChange,
  minMs,
  maxMs,
  disabled = false,
}: DayPickerProps & { label: string; ids: FieldIds }) {
  const areControlsOff = useControlsOff()
  // What is being typed and is no day yet: a year goes over 0002, 0020 and 0202. Left so, the last day stands again.
  const [unfinished, setUnfinished] = useState<Dayjs | null>()
  const change = (day: Dayjs | null) => {
    const isDay = day?.isValid() === true && day.year() >= 1970
    setUnfinished(isDay ? undefined : day)
    if (isDay) onChange(day.startOf('day').valueOf())
  }
  const leave = (event: FocusEvent) => {
    if (event.currentTarget.contains(event.relatedTarget)) return
    setUnfinished(undefined)
    if (unfinished === null) onChange(null)
  }
  return (
    <Themed>
      <LocalizationProvider dateAdapter={AdapterDayjs} localeText={placeholders}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: it hears of its fields, which are left */}
        <div onBlur={leave}>
          <DatePicker
            timezone="UTC"
            format="DD MMM YYYY"
            value={unfinished === undefined ? (value === null ? null : dayOf(value)) : unfinished}
            disabled={disabled || areControlsOff}
            onChange={change}
            slots={icons}
            {...(minMs !== undefined && { minDate: dayOf(minMs) })}
            {...(maxMs !== undefined && { maxDate: dayOf(maxMs) })}
            slotProps={{
              textField: {
                hiddenLabel: true,
                fullWidth: true,
                slotProps: { input: { 'aria-labelledby': labelId, 'aria-describedby': describedBy } },
                ...(invalid && { error: true }),
                sx: value === null ? [inputStyle, emptyStyle] : inputStyle,
              },
              openPickerButton: { size: 'small', 'aria-label': `${label}: open the calendar` },
              desktopPaper: { sx: calendarStyle },
            }}
          />
        </div>
      </LocalizationProvider>
    </Themed>
  )
}

const inputStyle = {
  '& .MuiPickersInputBase-root': {
    ...typeScale.body,
    height: 36,
    [coarsePointer]: { height: TOUCH_PX },
    pl: 1.25,
    pr: 0.625,
    backgroundColor: colors.inset,
    borderRadius: `${radius.button}px`,
  },
  '& .MuiInputAdornment-root': { ml: 0.25 },
  '& .MuiPickersInputBase-sectionsContainer': { ...typeScale.body, p: 0, width: 'auto', flex: 1, opacity: 1 },
  '& .MuiPickersOutlinedInput-notchedOutline': { borderColor: colors.field },
  '& .MuiPickersInputBase-root.Mui-disabled': { backgroundColor: colors.well },
  '& .MuiPickersInputBase-root:hover .MuiPickersOutlinedInput-notchedOutline': { borderColor: colors.fieldHover },
  '& .MuiPickersInputBase-root.Mui-focused .MuiPickersOutlinedInput-notchedOutline': { borderColor: colors.accent },
  '& .MuiPickersInputBase-root.Mui-error .MuiPickersOutlinedInput-notchedOutline': { borderColor: colors.down },
  '& .MuiPickersInputBase-root.Mui-disabled .MuiPickersOutlinedInput-notchedOutline': {
    borderColor: `${colors.hairline} !important`,
  },
} as const

/** The parts of a date that are still to be typed look like any other placeholder. */
const emptyStyle = { '& .MuiPickersInputBase-root:not(.Mui-focused)': { color: colors.text3 } } as const

const calendarStyle = {
  mt: 0.5,
  backgroundColor: colors.raised,
  border: `1px solid ${colors.buttonEdge}`,
  borderRadius: `${radius.card}px`,
  boxShadow: floatingShadow,
} as const
