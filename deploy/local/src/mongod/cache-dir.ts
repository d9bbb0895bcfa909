import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where fetched programs are kept for all checkouts of one user. */
export function cacheDir(env: NodeJS.ProcessEnv): string {
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'knowledge');
}
