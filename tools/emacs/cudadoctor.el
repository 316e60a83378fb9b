;;; cudadoctor.el --- Why a CUDA, PyTorch or Python build failed  -*- lexical-binding: t; -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "26.1"))
;; Keywords: tools, processes
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; cudadoctor reads the log of a failing build and says the root cause and the
;; command that fixes it.
;;
;;   M-x cudadoctor-diagnose-file      diagnoses a log
;;   M-x cudadoctor-diagnose-buffer    diagnoses this buffer, *compilation* say
;;
;; Both show the report in a compilation buffer; `next-error' goes to the lines
;; that it names.  In any other `compilation-mode' buffer, the lines of
;; "cudadoctor --format gcc" lead to their places as soon as this file is loaded.

;;; Code:

(require 'compile)

(defgroup cudadoctor nil
  "Diagnosis of failed builds."
  :group 'compilation)

(defcustom cudadoctor-program "cudadoctor"
  "The program: a name that is looked up in variable `exec-path', or a file."
  :type 'string)

;; Emacs' own entry `gnu' matches these lines too; this one comes first in the
;; list, and also knows names of logs that hold blanks or begin with a digit.
(add-to-list 'compilation-error-regexp-alist-alist
             (list 'cudadoctor
                   (concat "^\\([^\n]+?\\):\\([0-9]+\\):\\([0-9]+\\): "
                           "\\(?:error\\|\\(warning\\)\\): "
                           "[^\n]+ \\[[a-z0-9-]+\\]$")
                   1 2 3 '(4)))
(add-to-list 'compilation-error-regexp-alist 'cudadoctor)

;; The report quotes lines of the log, which the other entries would take for errors.
(define-compilation-mode cudadoctor-mode "cudadoctor"
  "Mode of the buffers that show why a build failed."
  (setq-local compilation-error-regexp-alist '(cudadoctor)))

;;;###autoload
(defun cudadoctor-diagnose-file (file)
  "Say why the build whose log is FILE failed, in a compilation buffer."
  (interactive "fBuild log: ")
  (unless (executable-find cudadoctor-program)
    (user-error "There is no program %S; set `cudadoctor-program' to where it is"
                cudadoctor-program))
  (let* ((log (expand-file-name file))
         (default-directory (file-name-directory log)))
    (compilation-start
     (format "%s --format gcc --no-redact --report text=/dev/stderr %s"
             (shell-quote-argument cudadoctor-program) (shell-quote-argument log))
     #'cudadoctor-mode)))

;;;###autoload
(defun cudadoctor-diagnose-buffer (&optional buffer)
  "Say why the build whose log is in BUFFER failed; nil is the current buffer.
One that differs from its file, or has none, is written to a temporary file."
  (interactive)
  (with-current-buffer (or buffer (current-buffer))
    (cudadoctor-diagnose-file
     (if (and buffer-file-name (not (buffer-modified-p)))
         buffer-file-name
       (let ((coding-system-for-write 'utf-8-unix)
             (file (make-temp-file "cudadoctor-" nil ".log")))
         (save-restriction
           (widen)
           (write-region nil nil file nil 'silent))
         file)))))

(provide 'cudadoctor)

;;; cudadoctor.el ends here
