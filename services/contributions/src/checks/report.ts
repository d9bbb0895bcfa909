import type { TextCheck } from './check.js';

/** Finds reports, so that moderators read them before other inquiries. */
export const report: TextCheck = ({ purpose }) =>
  purpose === 'report' ? { weight: 10, text: 'a report of a problem with a published text' } : undefined;
