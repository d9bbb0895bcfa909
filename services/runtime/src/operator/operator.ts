import { type Config, openPublicUrl } from '../config/read-config.js';
import { string, url } from '../config/variable.js';
import { isSingleAddress } from '../text/address.js';

/** The operator of the service, with the contact and the rules that people and programs see. */
export interface Operator {
  readonly name: string;
  readonly contact: Contact;
  readonly privacyUrl: string;
  readonly termsUrl?: string;
  readonly imprintUrl?: string;
  readonly rulesUrl?: string;
  /** The licence under which the texts are published. */
  readonly license: { readonly name: string; readonly url?: string };
}

/** The contact through which people reach the operator. */
export interface Contact {
  /** The text of the contact to show: an address or a URL. */
  readonly text: string;
  /** The target of the link to the contact: a `mailto:` or http(s) URL. */
  readonly url: string;
  /** Present only if the contact is a mailbox. */
  readonly email?: string;
}

type OperatorConfig = Partial<Config<typeof operatorVariables>> & PublicUrls;

interface PublicUrls {
  readonly PUBLIC_URL_IO: string;
  readonly PUBLIC_URL_ORG: string;
}

/** Makes the operator from the configuration. A local start gets sample values for missing variables. */
export function operatorOf(config: OperatorConfig): Operator {
  const { OPERATOR_NAME, OPERATOR_CONTACT, PRIVACY_URL, TERMS_URL, IMPRINT_URL, RULES_URL, CONTENT_LICENSE } = config;
  return {
    name: OPERATOR_NAME ?? sampleName,
    contact: contactOf(OPERATOR_CONTACT ?? sampleContact),
    privacyUrl: PRIVACY_URL ?? `${config.PUBLIC_URL_ORG.replace(/\/+$/, '')}/privacy`,
    ...(TERMS_URL !== undefined && { termsUrl: TERMS_URL }),
    ...(IMPRINT_URL !== undefined && { imprintUrl: IMPRINT_URL }),
    ...(RULES_URL !== undefined && { rulesUrl: RULES_URL }),
    license: licenseOf(CONTENT_LICENSE),
  };
}

/**
 * Faults in the operator's variables. If other machines can reach a public URL, people must find a contact and the
 * privacy notice.
 */
export function operatorFaults(config: OperatorConfig): string[] {
  const { OPERATOR_CONTACT: contact } = config;
  const faults =
    contact === undefined || isContact(contact)
      ? []
      : [`OPERATOR_CONTACT is ${JSON.stringify(contact)}; expected an e-mail address or a URL`];
  const open = openPublicUrl(config);
  if (open === undefined) return faults;
  const missing = (['OPERATOR_NAME', 'OPERATOR_CONTACT', 'PRIVACY_URL'] as const).filter(
    (name) => config[name] === undefined,
  );
  return [...faults, ...missing.map((name) => `${name} is missing; people who reach ${open} must be able to read it`)];
}

const sampleName = 'Whoever started it on this machine';
const sampleContact = 'operator@knowledge.example';

function contactOf(text: string): Contact {
  return text.includes('://') ? { text, url: text } : { text, url: `mailto:${text}`, email: text };
}

function licenseOf(setting: string | undefined): Operator['license'] {
  if (setting === undefined) return { name: 'All rights reserved by the authors' };
  const [, name = '', url] = /^(.*?)\s*(https?:\/\/\S+)?$/.exec(setting.trim()) ?? [];
  return { name: name || (url ?? setting), ...(url !== undefined && { url }) };
}

/**
 * The variables that describe the operator, for every process that writes pages, mails or documents. Check them with
 * `operatorFaults`: only a local start may leave out contact and privacy notice.
 */
export const operatorVariables = {
  OPERATOR_NAME: string({ optional: true, max: 200, description: 'who runs the service' }),
  OPERATOR_CONTACT: string({
    optional: true,
    max: 500,
    description: 'where people reach who runs it: an e-mail address or a URL',
  }),
  PRIVACY_URL: url({ optional: true, description: 'the privacy notice' }),
  TERMS_URL: url({ optional: true, description: 'the terms of use' }),
  IMPRINT_URL: url({ optional: true, description: 'the imprint' }),
  RULES_URL: url({ optional: true, description: 'the rules for contributions' }),
  CONTENT_LICENSE: string({
    optional: true,
    max: 500,
    description: 'under which licence the texts are: its name, and its URL after a space',
  }),
};

/** Whether a string is a valid contact: one e-mail address, or an http or https URL. */
function isContact(contact: string) {
  return isSingleAddress(contact) || (URL.canParse(contact) && /^https?:$/.test(new URL(contact).protocol));
}
