import { Button, Typography } from '@mui/material'
import { markets, ticker } from '@shapecast/contracts/market'
import { models } from '@shapecast/contracts/ml'
import { useMemo, useReducer, useState } from 'react'
import { errorText } from '../../../shared/api/error-text.ts'
import { useEndpointQuery } from '../../../shared/api/use-endpoint.ts'
import { useUser } from '../../../shared/auth/auth-context.ts'
import { colors } from '../../../shared/theme/tokens.ts'
import { busyPress } from '../../../shared/ui/busy-press.ts'
import { Dialog } from '../../../shared/ui/dialog.tsx'
import { useCreateBot } from '../use-bots.ts'
import { AccessSection } from './access-section.tsx'
import { BasicsSection } from './basics-section.tsx'
import {
  changeForm,
  draftOf,
  type FormErrors,
  formErrors,
  NEW_BOT,
  SELECTABLE_PAIRS,
  whyNotCreate,
} from './bot-form.ts'
import { ModelSection } from './model-section.tsx'
import { PolicySection } from './policy-section.tsx'
import { RiskSection } from './risk-section.tsx'

const NONE: FormErrors = {}
const WIDTH_PX = 960

/** Creates a stopped bot. What was typed stays after a failure. */
export function CreateBotDialog({ onClose }: { onClose: () => void }) {
  const user = useUser()
  const [form, change] = useReducer(changeForm, NEW_BOT)
  const [wasTried, setWasTried] = useState(false)
  const create = useCreateBot()
  const modelList = useEndpointQuery(models, {})
  const market = useMarket(form.tradingPairs)
  const whyNot = whyNotCreate(form)
  const errors = wasTried ? formErrors(form) : NONE
  const submit = () => {
    setWasTried(true)
    if (Object.keys(formErrors(form)).length > 0) return
    create.mutate(
      { body: draftOf(form) },
      { onSuccess: onClose, onError: (error) => window.alert(errorText(error, 'Failed to create bot')) },
    )
  }
  const section = { form, change, errors }
  return (
    <Dialog
      title="Create Trading Bot"
      widthPx={WIDTH_PX}
      onClose={onClose}
      flush
      actions={
        <>
          <Typography variant="small" sx={{ mr: 'auto', alignSelf: 'center', color: colors.text2 }}>
            {whyNot ?? 'Created stopped. You start it from its card.'}
          </Typography>
          <Button variant="text" onClick={onClose}>
            Cancel
          </Button>
          <Button
            variant="contained"
            disabled={whyNot !== null}
            title={whyNot ?? undefined}
            {...busyPress(create.isPending, submit)}
          >
            {create.isPending ? 'Creating…' : 'Create'}
          </Button>
        </>
      }
    >
      <BasicsSection {...section} pairs={market.pairs} />
      <ModelSection {...section} models={modelList.data} />
      <PolicySection {...section} />
      <RiskSection {...section} base={market.base} price={market.price} />
      <AccessSection {...section} isAdmin={user?.role === 'admin'} />
    </Dialog>
  )
}

/** Which of the pairs this market has, and the price of the first chosen one. */
function useMarket(chosen: readonly string[]) {
  const list = useEndpointQuery(markets, {}, { staleTime: 5 * 60_000 }).data
  const first = chosen[0]
  const price = useEndpointQuery(
    ticker,
    { params: { symbol: first ?? '' } },
    { enabled: first !== undefined, staleTime: 30_000 },
  )
  const pairs = useMemo(() => {
    const known = new Set((list ?? []).map((market) => market.id))
    return SELECTABLE_PAIRS.filter((pair) => list === undefined || known.has(pair))
  }, [list])
  const base = chosen.length === 1 ? (list?.find((market) => market.id === first)?.base ?? null) : null
  return { pairs, base, price: price.data?.last ?? null }
}
