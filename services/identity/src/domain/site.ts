/** The two sites. */
export type Site = 'io' | 'org';
