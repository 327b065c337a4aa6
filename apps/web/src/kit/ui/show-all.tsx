import { Button } from './button.tsx'

/** At the foot of a list cut to its first rows: shows the rest. */
export const ShowAll = ({ children, onClick }: { children: string; onClick: () => void }) => (
  <div style={{ padding: 8, borderTop: '1px solid var(--hairline)' }}>
    <Button variant="text" size="small" onClick={onClick}>
      {children}
    </Button>
  </div>
)
