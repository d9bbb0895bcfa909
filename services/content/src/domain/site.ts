/** One of the two sites. */
export type Site = 'io' | 'org';

/** Every site. */
export const sites: readonly Site[] = ['io', 'org'];
