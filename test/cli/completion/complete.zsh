# Loads the completion script $1 in an interactive zsh and prints what the Tab key makes of each of the other arguments.
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z "PS1=; unsetopt zle_bracketed_paste; autoload -Uz compinit; compinit -D -u; source $1; dump() { print -r -- \"<<\$BUFFER>\"\">\" }; zle -N dump; bindkey '^X' dump; print REA\"\"DY"
zpty -r z out '*READY*'
shift
for line; do
  zpty -n -w z $'\C-u'$line$'\t\C-x'
  zpty -r z out '*<<*>>*'
  print -r -- ${${out##*<<}%%>>*}
done
