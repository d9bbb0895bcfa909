export const sites = ['io', 'org'] as const;

/** One of the two sites. */
export type Site = (typeof sites)[number];
