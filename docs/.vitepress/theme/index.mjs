import DefaultTheme from 'vitepress/theme-without-fonts';
import './colours.css';
import './diagrams.css';
import './text.css';

export default DefaultTheme;
