// SPDX-License-Identifier: BSD-3-Clause
// Parses the files given as Groovy, without running them: groovy parse_files.groovy <file>...
import org.codehaus.groovy.control.CompilationUnit
import org.codehaus.groovy.control.CompilationFailedException
import org.codehaus.groovy.control.Phases

def n_bad = 0
args.each { name ->
    def unit = new CompilationUnit()
    unit.addSource(new File(name))
    try {
        unit.compile(Phases.CONVERSION)
    } catch (CompilationFailedException fault) {
        n_bad += 1
        println("${name}: ${fault.message}")
    }
}
println("${args.length - n_bad} of ${args.length} files are parsed")
System.exit(n_bad == 0 ? 0 : 1)
