// SPDX-License-Identifier: BSD-3-Clause
// Writes out the script blocks of processes as Nextflow would, with the options that the pipeline's configuration gives:
//   groovy render.groovy <request.json> <answer.json>
// request: {"configs": [file...], "params": {...}, "jobs": [{"process", "text", "variables"}]}; the params overrule those of the
// configuration. answer: one text a job. 'text' is the section of the process; files are given as {"file": name} or lists of these.
import groovy.json.JsonOutput
import groovy.json.JsonSlurper

// A file within a task's folder.
class StagedFile {
    String name
    String getBaseName() { name.contains('.') ? name.substring(0, name.lastIndexOf('.')) : name }
    String toString() { name }
}

// Files that stand for themselves, separated by blanks; no Collection, which Groovy would write with brackets.
class StagedFiles {
    List files
    String toString() { files.join(' ') }
    boolean asBoolean() { !files.empty }
}

// Takes what a block of a configuration sets and calls; blocks within it by the name they select.
class Settings {
    Map values = [ext: [:]]
    Map inner = [:]
    def propertyMissing(String name) {
        if (!values.containsKey(name)) throw new MissingPropertyException(name, Settings)
        values[name]
    }
    def propertyMissing(String name, value) { values[name] = value }
    def methodMissing(String name, arguments) {
        if (arguments.length == 1 && arguments[0] instanceof Closure) {
            inner[name] = new Settings()
            run(arguments[0], inner[name])
        }
    }
    static void run(Closure block, Settings target) {
        block.delegate = target
        block.resolveStrategy = Closure.DELEGATE_FIRST
        block()
    }
}

abstract class Configuration extends Script {
    // Not variables of the script, which would hide the blocks of these names.
    def getProperty(String name) {
        name == 'params' ? binding.getVariable('parameters') : name == 'process' ? [:] : super.getProperty(name)
    }
    def methodMissing(String name, arguments) {
        if (name == 'params') {
            def block = arguments[0]
            block.delegate = binding.getVariable('parameters')
            block.resolveStrategy = Closure.DELEGATE_FIRST
            block()
        } else if (name == 'process') {
            Settings.run(arguments[0], binding.getVariable('settings'))
        }
    }
}

def request = new JsonSlurper().parse(new File(args[0]))
def settings = new Settings()
def params = [:]
def compiler = new org.codehaus.groovy.control.CompilerConfiguration()
compiler.scriptBaseClass = Configuration.name
request.configs.each { name ->
    def values = [parameters: params, settings: settings, projectDir: new File(name).parentFile.parent]
    new GroovyShell(this.class.classLoader, new Binding(values), compiler).evaluate(new File(name))
}
params.putAll(request.params)

def asVariable
asVariable = { value ->
    if (value instanceof Map && value.keySet() == ['file'] as Set) return new StagedFile(name: value.file)
    if (value instanceof List) return new StagedFiles(files: value.collect(asVariable))
    value
}
def answers = request.jobs.collect { job ->
    def ext = (settings.inner[job.process]?.values?.ext ?: [:]).collectEntries { key, value ->
        [key, value instanceof Closure ? value() : value]
    }
    def variables = job.variables.collectEntries { key, value -> [key, asVariable(value)] }
    variables.task = [cpus: 2, ext: ext, process: job.process]
    new GroovyShell(new Binding(variables)).evaluate(job.text).toString()
}
new File(args[1]).text = JsonOutput.toJson(answers)
