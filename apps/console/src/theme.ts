import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core';

/** The one colour of the console. Its seventh shade has 4.5:1 on white, its fifth on the dark background. */
const teal: MantineColorsTuple = [
  '#e6f6f8',
  '#d2eaee',
  '#a6d5dd',
  '#76bfcb',
  '#4facbc',
  '#2f9db0',
  '#0f8095',
  '#0b7285',
  '#085f70',
  '#03434f',
];

export const theme = createTheme({
  primaryColor: 'brand',
  primaryShade: { light: 7, dark: 7 },
  colors: { brand: teal },
  autoContrast: true,
  defaultRadius: 'md',
  respectReducedMotion: true,
  cursorType: 'pointer',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace',
  headings: {
    fontWeight: '650',
    sizes: { h1: { fontSize: '1.5rem' }, h2: { fontSize: '1.125rem' }, h3: { fontSize: '1rem' } },
  },
  components: {
    Paper: { defaultProps: { withBorder: true, p: 'md' } },
    Modal: {
      defaultProps: { centered: true, closeButtonProps: { 'aria-label': 'Close' } },
      styles: { title: { fontWeight: 650 } },
    },
    // Its element would be a second banner of the page.
    ModalHeader: { defaultProps: { role: 'presentation' } },
    DrawerHeader: { defaultProps: { role: 'presentation' } },
    // By default smaller than what a finger finds.
    InputClearButton: { defaultProps: { size: '24px' } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Tooltip: { defaultProps: { multiline: true, maw: 320, events: { hover: true, focus: true, touch: true } } },
  },
});

/** Text and background of each tone (`Status`); every pair has a contrast of 4.5:1. */
const tones = (tones: Readonly<Record<string, readonly [text: string, background: string]>>) =>
  Object.fromEntries(
    Object.entries(tones).flatMap(([tone, [text, background]]) => [
      [`--tone-${tone}`, text],
      [`--tone-${tone}-back`, background],
    ]),
  );

/** Where the colours of light and dark are others than Mantine's. */
export const cssVariables: CSSVariablesResolver = ({ colors: { green, red, blue, gray, dark } }) => ({
  variables: {},
  light: {
    '--mantine-color-body': '#f8f9fa',
    '--mantine-color-dimmed': gray[7],
    '--mantine-color-error': red[9],
    '--mantine-color-yellow-light-color': '#8a4b00',
    '--mantine-color-green-light-color': '#1b6e2d',
    ...tones({
      good: ['#1b6e2d', green[0]],
      warning: ['#8a4b00', '#fff3d1'],
      bad: ['#b02525', red[0]],
      busy: ['#14599b', blue[0]],
      quiet: [gray[7], gray[1]],
    }),
  },
  dark: {
    '--mantine-color-dimmed': dark[1],
    '--mantine-color-anchor': teal[3],
    '--mantine-color-error': red[4],
    '--mantine-color-yellow-light': '#362a08',
    '--mantine-color-yellow-light-color': '#f5c451',
    '--mantine-color-red-light': '#3d1a1a',
    '--mantine-color-red-light-color': red[3],
    '--mantine-color-brand-light': '#123c44',
    '--mantine-color-brand-light-hover': '#17474f',
    '--mantine-color-brand-light-color': teal[2],
    ...tones({
      good: [green[4], '#12301b'],
      warning: ['#f5c451', '#362a08'],
      bad: [red[3], '#3d1a1a'],
      busy: [blue[3], '#132b42'],
      quiet: [gray[4], dark[5]],
    }),
  },
});
