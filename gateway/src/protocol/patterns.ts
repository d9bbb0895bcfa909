import { addressFault, emailBound, languageBound } from '@knowledge/runtime';

const atom = "[A-Za-z0-9_+!#$%&'*/=?^`{|}~-]";
// Also letters of other scripts, which the service converts to ASCII. Not all languages know escapes for them.
const letter = 'A-Za-z0-9¡-힣';
const label = `[${letter}](?:[${letter}-]{0,61}[${letter}])?`;

/**
 * One plain e-mail address, perhaps with white space around it. The pattern has no lookarounds, because some languages
 * do not support them.
 */
export const emailPattern = `^\\s*${atom.replace('-]', ']')}${atom}*(?:\\.${atom}+)*@(?:${label}\\.)+${label.replace('0-9', '')}\\s*$`;

/** The form of a BCP 47 language tag. The services check whether its parts exist. */
export const languagePattern = '^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*$';

/** Says what each pattern demands of a value. The words follow the name of a field in a message. */
export const patternWords: Readonly<Record<string, (value: string) => string>> = {
  [languagePattern]: () => languageBound,
  [emailPattern]: (value) => addressFault(value) ?? emailBound,
};
