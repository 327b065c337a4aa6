import type { ReceivedFile } from '@shapecast/contracts/client'

/** How long the browser may take to begin reading what it is given to save. */
const HOLD_MS = 60_000

/** Hands a file to the browser to save, under the name that the server gave it, else `fallbackName`. */
export function saveFile({ name, content }: ReceivedFile, fallbackName: string): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name ?? fallbackName
  document.body.append(link)
  link.click()
  link.remove()
  setTimeout(() => URL.revokeObjectURL(address), HOLD_MS)
}
