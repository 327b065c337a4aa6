// Runs before the first paint, so that a light page does not flash dark. Storage may be closed to the page.
// The landing page is dark.
try {
  const isLanding = window.location.pathname === '/' && window.localStorage.getItem('authToken') === null
  if (window.localStorage.getItem('theme') === 'light' && !isLanding) document.documentElement.dataset.theme = 'light'
} catch {}
