import { Box, Button } from '@mui/material'
import { Component, type ReactNode } from 'react'
import { Banner } from '../shared/ui/banner.tsx'

interface ErrorBoundaryProps {
  children: ReactNode
  /** A change of it (another page, say) tries again. */
  resetKey?: string
}

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
          title="This page could not be shown"
          action={
            <Button size="small" onClick={() => window.location.reload()}>
              Load it again
            </Button>
          }
        >
          {error.message}
        </Banner>
      </Box>
    )
  }
}
