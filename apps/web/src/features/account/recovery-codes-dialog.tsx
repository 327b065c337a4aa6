import { Button } from '@mui/material'
import { Dialog } from '#kit/ui/dialog.tsx'
import { ShownOnce } from '#kit/ui/shown-once.tsx'

/** The recovery codes, in sight this once. */
export const RecoveryCodesDialog = ({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) => (
  <Dialog
    title="Keep your recovery codes"
    onClose={onClose}
    actions={
      <Button variant="contained" onClick={onClose}>
        I have kept them
      </Button>
    }
  >
    <ShownOnce label="Recovery codes" value={codes.join('\n')}>
      They are never shown again. Each opens the account once if the phone is lost. Keep them where the phone is not.
    </ShownOnce>
  </Dialog>
)
