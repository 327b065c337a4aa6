// Asks for what the page shows first while its code is on its way; wire/calls/first-calls.ts hands the answers on.
// Storage may be closed to the page.
try {
  const token = window.localStorage.getItem('authToken')
  const ofPage = {
    '/dashboard': [
      '/bot/api/ticker/BTCUSDT',
      '/bot/api/ml/health',
      '/bot/api/ohlcv/BTCUSDT?timeframe=1h&limit=300',
      '/bot/api/ml/predictions/columns?symbol=BTCUSDT&timeframe=1h&limit=101',
      '/bot/api/ml/predictions?symbol=BTCUSDT&timeframe=1h&limit=1',
    ],
    '/trading': ['/bot/api/bots'],
  }
  const wanted = window.location.search === '' ? ofPage[window.location.pathname] : undefined
  if (token !== null && wanted !== undefined) {
    const authorization = `Bearer ${token}`
    const ask = (url) => [url, fetch(url, { headers: { authorization } })]
    const answers = new Map(['/soc/api/auth/profile', '/bot/health', ...wanted].map(ask))
    // What fails is asked for again, and reported, by the code that shows it.
    for (const answer of answers.values()) answer.catch(() => undefined)
    window.firstCalls = { authorization, answers }
  }
} catch {}
