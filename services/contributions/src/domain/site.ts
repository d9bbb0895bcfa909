/** One of the two sites. */
export type Site = 'io' | 'org';
