import { createTheme, type MantineColorsTuple } from '@mantine/core';

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
    Modal: { defaultProps: { centered: true, closeButtonProps: { 'aria-label': 'Close' } } },
    Tooltip: { defaultProps: { multiline: true, maw: 320, events: { hover: true, focus: true, touch: true } } },
  },
});
