import { expect, it } from 'vitest';
import { recogniseLanguage } from './recognise-language.js';

it.each([
  ['de', 'Wir haben die Migration an einem Wochenende gemacht.'],
  ['de', 'Was hat euch am meisten überrascht, als ihr die Teams neu geschnitten habt?'],
  ['es', 'Después de la caída decidimos que una sola persona recibe la alerta por la noche.'],
  ['fr', "Le serveur n'a pas répondu pendant trois heures, et personne ne l'a vu."],
  ['pl', 'Przenieśliśmy bazę danych w jeden weekend i w poniedziałek nikt tego nie zauważył.'],
  ['it', 'Il certificato era scaduto da tre giorni quando il primo cliente ci ha telefonato.'],
  ['nl', 'Het certificaat was al drie dagen verlopen toen de eerste klant ons opbelde.'],
  ['da', 'Vores hold fjernede fyrre ubrugte indstillinger på et kvartal med en påmindelse hver uge.'],
  ['en', 'A short question about the ownership of tools that nobody has touched for years.'],
  ['en', 'kubectl rollout undo fixed the outage, but the helm chart still pinned the broken image tag.'],
  ['ar', 'لم يستجب الخادم لمدة ثلاث ساعات.'],
  [
    'de',
    'Der Befehl ist `kubectl get pods -n prod`, siehe https://example.org/the/whole/guide für alle weiteren Einzelheiten.',
  ],
])('recognises %s', async (language, text) => {
  expect(await recogniseLanguage(text)).toBe(language);
});

it.each([
  ...['kubectl get', '1234567890 42 !!', 'https://example.org/a/b?c=d', 'OK OK OK OK OK OK OK'],
  ...['asdf qwer zxcv uiop hjkl', '```\nSELECT id FROM t WHERE a = 1;\n```', 'SSO rollout plan'],
  ...['Migration plan v2 draft', 'Kafka lag alert runbook', 'Token leaked in logs', 'Trailing slash inquiry text'],
  ...['Fallo del servidor', 'Backup Strategie Team'],
  'Rate limiter drift, SSO rollout plan, Kafka lag alert, slow pod start',
  'Plan for migrering af databasen og alarmer i drift for holdet',
  'lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore',
])('recognises no language in %j', async (text) => {
  expect(await recogniseLanguage(text)).toBe('');
});
