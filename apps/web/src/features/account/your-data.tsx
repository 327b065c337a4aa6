import { Button } from '@mui/material'
import { exportOwnData } from '@shapecast/contracts/own-account'
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { busyPress } from '#kit/ui/busy-press.ts'
import { Card } from '#kit/ui/card.tsx'
import layout from '#kit/ui/layout.module.css'
import { SettingRow } from '#kit/ui/setting-row.tsx'
import { file } from '#wire/calls/client.ts'
import { saveFile } from '#wire/calls/save-file.ts'
import { FailedChange } from '#wire/ui/failed-change.tsx'
import { DeleteAccountDialog } from './delete-account-dialog.tsx'

/** All own data as a file, and the end of the account. */
export function YourData() {
  const [isLeaving, setIsLeaving] = useState(false)
  const download = useMutation({
    mutationFn: () => file(exportOwnData, {}),
    onSuccess: (received) => saveFile(received, 'shapecast-data.json'),
  })
  return (
    <Card title="Your data" flush>
      {download.isError && (
        <div className={layout.inset}>
          <FailedChange change={download} text="Your data could not be downloaded." />
        </div>
      )}
      <SettingRow
        title="Download"
        action={
          <Button size="small" startIcon={<Download />} {...busyPress(download.isPending, () => download.mutate())}>
            {download.isPending ? 'Preparing…' : 'Download my data'}
          </Button>
        }
      >
        Profile, bots, trades, decisions, tasks and votes in one file.
      </SettingRow>
      <SettingRow
        title="Delete account"
        action={
          <Button variant="danger" size="small" onClick={() => setIsLeaving(true)}>
            Delete account
          </Button>
        }
      >
        Stops your bots. You can come back within 14 days by signing in; then everything is gone.
      </SettingRow>
      {isLeaving && <DeleteAccountDialog onClose={() => setIsLeaving(false)} />}
    </Card>
  )
}
