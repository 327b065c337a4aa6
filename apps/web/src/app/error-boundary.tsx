import { Box, Button } from '@mui/material'
import { Component, type ReactNode } from 'react'
import { Banner } from '#kit/ui/banner.tsx'

interface ErrorBoundaryProps {
  children: ReactNode
  /** A change of it (another page, say) tries again. */
  resetKey?: string
}

/** Browsers say in words of their own that the code of a page did not come. */
const isCodeMissing = (error: Error): boolean =>
  /dynamically imported module|importing a module script/i.test(error.message)

/** Catches what a page throws while it renders, says so, and offers a way on. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { error: Error | null }> {
  override state: { error: Error | null } = { error: null }

  static getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }

  override componentDidUpdate(previous: ErrorBoundaryProps) {
    if (this.state.error !== null && previous.resetKey !== this.props.resetKey) this.setState({ error: null })
  }

  override render() {
    const { error } = this.state
    if (error === null) return this.props.children
    return (
      <Box sx={{ p: { xs: 2, md: 3 }, maxWidth: 720 }}>
        <Banner
          kind="error"
          title={isCodeMissing(error) ? 'The server does not answer' : 'This page could not be shown'}
          action={
            <Button size="small" onClick={() => window.location.reload()}>
              Load it again
            </Button>
          }
        >
          {isCodeMissing(error) ? 'The page could not be loaded. Your session and your data are kept.' : error.message}
        </Banner>
      </Box>
    )
  }
}
