import { Box, Button } from '@mui/material'

/** At the foot of a list of which the first rows stand: brings the rest. */
export const ShowAll = ({ children, onClick }: { children: string; onClick: () => void }) => (
  <Box sx={{ px: 1, py: 1, borderTop: 1, borderColor: 'divider' }}>
    <Button variant="text" size="small" onClick={onClick}>
      {children}
    </Button>
  </Box>
)
