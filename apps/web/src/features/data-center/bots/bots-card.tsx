import { Box, Typography } from '@mui/material'
import { bots } from '@shapecast/contracts/bots'
import { type Model, models } from '@shapecast/contracts/ml'
import { useMemo } from 'react'
import { useEndpointQuery } from '../../../shared/api/use-endpoint.ts'
import { colors } from '../../../shared/theme/tokens.ts'
import { Card } from '../../../shared/ui/card.tsx'
import { Chip } from '../../../shared/ui/chip.tsx'
import { EmptyLine } from '../../../shared/ui/empty-state.tsx'
import { LeakChip } from '../../../shared/ui/trading-chips.tsx'
import { ListSkeleton } from '../list-skeleton.tsx'
import { leakingSeries } from '../models/leak-words.ts'
import { ModelChips } from '../models/model-chips.tsx'
import { inModelOrder } from '../models/model-order.ts'
import { useRefreshMs } from '../refresh.ts'
import { groupBots } from './bot-groups.ts'
import { BotRow } from './bot-row.tsx'
import { useBotPredictions } from './use-bot-predictions.ts'

const headStyle = {
  display: 'flex',
  alignItems: 'center',
  flexWrap: 'wrap',
  columnGap: 1,
  rowGap: 0.5,
  px: 2,
  py: 1,
  minHeight: 40,
  backgroundColor: colors.well,
} as const

const leaks = (model: Model): boolean => leakingSeries(model).length > 0

/** Bots by model version, with what each one's models said last. */
export function BotsCard() {
  const refreshMs = useRefreshMs()
  const botReply = useEndpointQuery(bots, {}, { refetchInterval: refreshMs })
  const modelReply = useEndpointQuery(models, {}, { refetchInterval: refreshMs })
  const modelList = useMemo(() => inModelOrder(modelReply.data?.models ?? []), [modelReply.data])
  const botList = botReply.data
  const groups = useMemo(
    () =>
      groupBots(
        botList ?? [],
        modelList.map((model) => model.version),
      ),
    [botList, modelList],
  )
  const predictions = useBotPredictions(useMemo(() => (botList ?? []).map((bot) => bot.id), [botList]))
  return (
    <Card title="Bots" flush facts="by model version">
      {groups.map(({ key, versions, bots: members }, i) => {
        const model = versions.length === 1 ? modelList.find((one) => one.version === versions[0]) : undefined
        return (
          <Box key={key} sx={i === 0 ? undefined : { borderTop: `1px solid ${colors.divider}` }}>
            <Box sx={headStyle}>
              <Typography component="h3" sx={{ m: 0, fontWeight: 500 }}>
                {key === '' ? '—' : key}
              </Typography>
              {versions.length === 0 && (
                <Typography component="span" variant="small" sx={{ color: colors.text3 }}>
                  no model
                </Typography>
              )}
              {versions.length > 1 && <Chip label="ensemble" tone="outline" />}
              {versions.length > 1 && modelList.some((one) => versions.includes(one.version) && leaks(one)) && (
                <LeakChip />
              )}
              {model !== undefined && (
                <ModelChips model={model} isCurrent={model.version === modelReply.data?.current} />
              )}
            </Box>
            <Box
              component="ul"
              aria-label={key === '' ? 'Bots without a model' : `Bots of ${key}`}
              sx={{ m: 0, p: 0, listStyle: 'none' }}
            >
              {members.map((bot) => (
                <BotRow key={bot.id} bot={bot} prediction={predictions[bot.id]} />
              ))}
            </Box>
          </Box>
        )
      })}
      {botReply.isPending && <ListSkeleton label="Loading the bots" rowHeightPx={28} rows={4} />}
      {(botList?.length === 0 || (botReply.isError && botList === undefined)) && <EmptyLine>No bots found</EmptyLine>}
    </Card>
  )
}
