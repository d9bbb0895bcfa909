/** The title of each site on pages and in documents. */
export const siteTitles: Readonly<Record<'io' | 'org', string>> = { io: 'Engineering', org: 'Organisation' };
