const atom = "[A-Za-z0-9_+!#$&'*/=?^{}~-]";
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';

/** One plain e-mail address. It has no lookarounds, which some languages do not support. */
export const emailPattern = `^${atom.replace('-]', ']')}${atom}*(?:\\.${atom}+)*@(?:${label}\\.)+[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$`;

/** The shape of a BCP 47 tag. The services check whether its subtags exist. */
export const languagePattern = '^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*$';

/** What each pattern demands, in words that follow the name of a field. */
export const patternWords: Readonly<Record<string, string>> = {
  [languagePattern]: 'must be a BCP 47 tag such as en or de-CH',
  [emailPattern]: 'must be exactly one plain address like jane@example.org',
};
