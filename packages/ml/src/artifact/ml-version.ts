/** Changes whenever the same candles and settings could give another model; stored with every model. */
export const ML_VERSION = '1.0.0'
