import { Button } from './button.tsx'
import css from './show-all.module.css'

/** At the foot of a list cut to its first rows: shows the rest. */
export const ShowAll = ({ children, onClick }: { children: string; onClick: () => void }) => (
  <div className={css.foot}>
    <Button variant="text" size="small" onClick={onClick}>
      {children}
    </Button>
  </div>
)
