import { languageBound } from '@knowledge/runtime';

const atom = "[A-Za-z0-9_+!#$&'*/=?^{}~-]";
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';

/** One plain e-mail address. The pattern has no lookarounds, because some languages do not support them. */
export const emailPattern = `^${atom.replace('-]', ']')}${atom}*(?:\\.${atom}+)*@(?:${label}\\.)+[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$`;

/** The form of a BCP 47 language tag. The services check whether its parts exist. */
export const languagePattern = '^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*$';

/** Says what each pattern demands. The words follow the name of a field in a message. */
export const patternWords: Readonly<Record<string, string>> = {
  [languagePattern]: languageBound,
  [emailPattern]: 'must be exactly one plain address like jane@example.org',
};
