/** Where not even the frame of the pages could be loaded. */
export const RootError = () => (
  <main style={{ padding: 24 }}>
    <title>Shapecast</title>
    <h1>The server does not answer</h1>
    <p>The page could not be loaded. Your session and your data are kept.</p>
    <button type="button" onClick={() => window.location.reload()}>
      Load it again
    </button>
  </main>
)
