" Vim compiler file: cudadoctor, which says why a CUDA, PyTorch or Python build failed
"
"   :compiler cudadoctor
"   :make build.log       diagnoses a log; :make % the file in the buffer
"
" To build with :make and diagnose what the build prints, let makeprg write a log first:
"
"   :let &l:makeprg = '(make $* >build.log 2>&1 \|\| cudadoctor --format gcc build.log)'

if exists('current_compiler')
  finish
endif
let current_compiler = 'cudadoctor'

if exists(':CompilerSet') != 2  " before Vim 7.4.1
  command -nargs=* CompilerSet setlocal <args>
endif

let s:cpo_save = &cpo
set cpo&vim

CompilerSet makeprg=cudadoctor\ --format\ gcc\ $*
CompilerSet errorformat=%f:%l:%c:\ %trror:\ %m,%f:%l:%c:\ %tarning:\ %m,%-G%.%#

let &cpo = s:cpo_save
unlet s:cpo_save
