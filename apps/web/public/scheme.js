// Runs before the first paint, so that a light page does not flash dark. Storage may be closed to the page.
try {
  if (window.localStorage.getItem('theme') === 'light') document.documentElement.dataset.theme = 'light'
} catch {}
