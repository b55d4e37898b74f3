import './colours.css';
import './diagrams.css';
import './text.css';
import DefaultTheme from 'vitepress/theme-without-fonts';

export default DefaultTheme;
