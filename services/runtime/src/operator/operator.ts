import type { Config } from '../config/read-config.js';
import { isContact, type operatorVariables } from './variables.js';

/** Who runs the service and by which rules, as people and programs are told. */
export interface Operator {
  readonly name: string;
  readonly contact: Contact;
  readonly privacyUrl: string;
  readonly termsUrl?: string;
  readonly imprintUrl?: string;
  readonly rulesUrl?: string;
  /** Of the texts. */
  readonly license: { readonly name: string; readonly url?: string };
}

/** Where people reach the operator. */
export interface Contact {
  /** As it is shown: an address, or a URL. */
  readonly text: string;
  /** What a link leads to: `mailto:` or http(s). */
  readonly url: string;
  /** Only where it is a mailbox. */
  readonly email?: string;
}

type OperatorConfig = Partial<Config<typeof operatorVariables>> & PublicUrls;

interface PublicUrls {
  readonly PUBLIC_URL_IO: string;
  readonly PUBLIC_URL_ORG: string;
}

/** Who runs the service; what a local start leaves out is a sample that says so. */
export function operatorOf(config: OperatorConfig): Operator {
  const { OPERATOR_NAME, OPERATOR_CONTACT, PRIVACY_URL, TERMS_URL, IMPRINT_URL, RULES_URL, CONTENT_LICENSE } = config;
  return {
    name: OPERATOR_NAME ?? sampleName,
    contact: contactOf(OPERATOR_CONTACT ?? sampleContact),
    privacyUrl: PRIVACY_URL ?? `${config.PUBLIC_URL_ORG.replace(/\/+$/, '')}/about#privacy`,
    ...(TERMS_URL !== undefined && { termsUrl: TERMS_URL }),
    ...(IMPRINT_URL !== undefined && { imprintUrl: IMPRINT_URL }),
    ...(RULES_URL !== undefined && { rulesUrl: RULES_URL }),
    license: licenseOf(CONTENT_LICENSE),
  };
}

/**
 * What is wrong with the settings of the operator. With a public URL beyond this machine strangers meet the service: they must
 * know whom to reach and what happens to their address.
 */
export function operatorFaults(config: OperatorConfig): string[] {
  const { OPERATOR_CONTACT: contact } = config;
  const faults =
    contact === undefined || isContact(contact)
      ? []
      : [`OPERATOR_CONTACT is ${JSON.stringify(contact)}; expected an e-mail address or a URL`];
  const open = [config.PUBLIC_URL_IO, config.PUBLIC_URL_ORG].find((url) => !isLocal(url));
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

/** Whether only this machine can follow the URL. */
function isLocal(url: string): boolean {
  const host = new URL(url).hostname.toLowerCase();
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
}
