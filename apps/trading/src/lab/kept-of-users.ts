import { jobsOfUser } from '../ground/jobs/tables.ts'
import type { KeptOfUsers } from '../ground/kept-of-users.ts'

const [walks, batches] = [jobsOfUser('walk_forward'), jobsOfUser('batch')]

export const LAB_OF_USERS: KeptOfUsers = {
  walkForwards: { ...walks, deleted: walks.where },
  batches: { ...batches, deleted: batches.where },
}
