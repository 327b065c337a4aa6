/** Changes whenever the same input could give another result; stored with every run. */
export const ENGINE_VERSION = '1.0.2'
