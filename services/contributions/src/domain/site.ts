/** One of the two sites (specification section 1). */
export type Site = 'io' | 'org';
