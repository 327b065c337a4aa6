import { z } from 'zod'

/** The families of networks that a training makes, in the order of their seeds. A stored model may have others. */
export const NetworkName = z.enum(['lstm', 'transformer'])
export type NetworkName = z.infer<typeof NetworkName>

const LABELS: Readonly<Record<NetworkName, string>> = { lstm: 'LSTM', transformer: 'Transformer' }

/** What people call a network; its name where no family has it. */
export const networkLabel = (name: string): string => LABELS[name as NetworkName] ?? name
