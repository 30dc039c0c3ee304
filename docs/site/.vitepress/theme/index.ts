import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme';
import Pane from './Pane.vue';
import './style.css';

const theme: Theme = {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => {
    app.component('Pane', Pane);
  },
};

export default theme;
