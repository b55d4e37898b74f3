/* global document */
import './colours.css';
import './diagrams.css';
import './text.css';
import { onContentUpdated, useData } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';

/** The front page of the default theme has no main part, which readers of screens look for. */
function useMainPart() {
  const { frontmatter } = useData();
  onContentUpdated(() => {
    const content = document.getElementById('VPContent');
    if (frontmatter.value.layout === 'home') content?.setAttribute('role', 'main');
    else content?.removeAttribute('role');
  });
}

export default { extends: DefaultTheme, setup: useMainPart };
