import confusables from 'unicode-confusables'

/** Characters that show nothing: Unicode's default ignorables, marks of direction, and variation selectors. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}|\p{C}/gu

/** The skeleton of Unicode Technical Standard 39, section 4: equal for texts that look alike. */
const skeletonOf = (text: string): string =>
  confusables.rectifyConfusion(text.normalize('NFKD').replace(INVISIBLE, '')).normalize('NFKD')

/**
 * Equal for usernames that may be taken for each other: whatever their case, with letters of another script, with accents
 * that a reader misses, with spaces more or fewer. A capital I is a small l here, as it is drawn: `Iisa` is `lisa`.
 */
export const nameKey = (username: string): string =>
  skeletonOf(skeletonOf(username).toLowerCase())
    .toLowerCase()
    .replace(/[\p{M}\s]+/gu, '')

/** The same with a capital I, of any script, as an i: `АDMIN` with a Cyrillic letter is `admin`. Two names are compared by both. */
export const foldedNameKey = (username: string): string =>
  nameKey(username.normalize('NFKD').replace(/\p{Lu}/gu, (letter) => (skeletonOf(letter) === 'l' ? 'i' : letter)))
