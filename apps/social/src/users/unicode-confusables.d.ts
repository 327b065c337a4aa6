declare module 'unicode-confusables' {
  const confusables: {
    /** The text with each confusable character replaced by the one that it is taken for. */
    rectifyConfusion(text: string): string
  }
  export default confusables
}
