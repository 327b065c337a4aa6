// A page with a frame holds its code back (build/route-pages.ts) until that is painted. A hidden tab paints nothing.
const begin = () => {
  const entry = document.querySelector('link[data-entry]')
  if (entry !== null) import(entry.href)
}
document.hidden ? setTimeout(begin) : requestAnimationFrame(() => setTimeout(begin))
