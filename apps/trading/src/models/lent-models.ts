import type { ModelService } from './model-service.ts'
import type { Predictors } from './predictors.ts'

/** The models as who asks them for forecasts needs them: which one speaks, and that one lent. */
export type LentModels = Pick<ModelService, 'currentOn' | 'requireVersion'> & Pick<Predictors, 'find' | 'use'>
