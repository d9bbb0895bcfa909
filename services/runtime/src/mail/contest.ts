import type { MailBlock } from './blocks.js';

/** Says who decided, and how to disagree. */
export const contest: MailBlock = {
  kind: 'note',
  text: 'A person decided this. Programs only mark what a moderator should look at closely. If you disagree, write to us, free of charge, and say why: a person looks at it again.',
};
