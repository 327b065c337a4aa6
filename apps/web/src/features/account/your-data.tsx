import { Box, Button } from '@mui/material'
import { exportOwnData } from '@shapecast/contracts/own-account'
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { file } from '../../shared/api/client.ts'
import { errorText } from '../../shared/api/error-text.ts'
import { saveFile } from '../../shared/api/save-file.ts'
import { Banner } from '../../shared/ui/banner.tsx'
import { busyPress } from '../../shared/ui/busy-press.ts'
import { Card } from '../../shared/ui/card.tsx'
import { SettingRow } from '../../shared/ui/setting-row.tsx'
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
        <Box sx={{ p: 2 }}>
          <Banner
            kind="error"
            title={errorText(download.error, 'Your data could not be downloaded.')}
            onDismiss={() => download.reset()}
          />
        </Box>
      )}
      <SettingRow
        title="Download"
        action={
          <Button startIcon={<Download />} {...busyPress(download.isPending, () => download.mutate())}>
            {download.isPending ? 'Preparing…' : 'Download my data'}
          </Button>
        }
      >
        Profile, bots, trades, decisions, tasks and votes in one file.
      </SettingRow>
      <SettingRow
        title="Delete account"
        action={
          <Button variant="danger" onClick={() => setIsLeaving(true)}>
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
