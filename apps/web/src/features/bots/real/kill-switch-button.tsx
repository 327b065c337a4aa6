import { OctagonX } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Button } from '#kit/ui/button.tsx'
import { useRealTrading } from './use-real-trading.ts'

const KillSwitchDialog = lazy(async () => ({ default: (await import('./kill-switch-dialog.tsx')).KillSwitchDialog }))

/** Stops all bots with real money. Once it is on, the banner above every page goes on from there. */
export function KillSwitchButton() {
  const { data } = useRealTrading()
  const [isAsking, setIsAsking] = useState(false)
  return (
    <>
      <Button
        variant="danger"
        startIcon={<OctagonX size={16} />}
        disabled={data?.killed === true}
        title={data?.killed === true ? 'It is on' : 'Stops every bot with real money at once'}
        onClick={() => setIsAsking(true)}
        style={{ marginLeft: 'auto' }}
      >
        Stop everything
      </Button>
      {isAsking && (
        <Suspense>
          <KillSwitchDialog state={data} onClose={() => setIsAsking(false)} />
        </Suspense>
      )}
    </>
  )
}
