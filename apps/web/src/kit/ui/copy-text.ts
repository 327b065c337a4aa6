/** Puts a text on the clipboard. Answers whether it is there. */
export async function copyText(text: string): Promise<boolean> {
  try {
    // Browsers have it on HTTPS and on this machine alone.
    if (navigator.clipboard !== undefined) {
      await navigator.clipboard.writeText(text)
      return true
    }
  } catch {
    // It was not allowed.
  }
  return copySelected(text)
}

/** The way that plain HTTP has. The text is selected without a focus, which a dialog would take back. */
function copySelected(text: string): boolean {
  const selection = document.getSelection()
  if (selection === null || typeof document.execCommand !== 'function') return false
  const kept = selection.rangeCount > 0 ? selection.getRangeAt(0) : null
  const holder = document.createElement('span')
  holder.textContent = text
  Object.assign(holder.style, { position: 'fixed', opacity: '0', whiteSpace: 'pre', userSelect: 'text' })
  document.body.append(holder)
  const range = document.createRange()
  range.selectNodeContents(holder)
  selection.removeAllRanges()
  selection.addRange(range)
  try {
    return document.execCommand('copy')
  } catch {
    return false
  } finally {
    selection.removeAllRanges()
    if (kept !== null) selection.addRange(kept)
    holder.remove()
  }
}
