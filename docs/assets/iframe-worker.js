// Search in a site that is opened from a folder: browsers start no worker there, so the worker's script runs in a hidden frame.
// Without a file of this name Material's plug-in `offline` has every page ask another host for one.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super()
      this.waiting = []
      this.frame = document.createElement("iframe")
      this.frame.hidden = true
      this.frame.addEventListener("load", () => this.start(url), { once: true })
      document.body.append(this.frame)
    }

    start(url) {
      this.inside = this.frame.contentWindow
      this.inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }))
      const script = this.inside.document.createElement("script")
      script.src = url
      script.onload = () => {
        const early = this.waiting
        this.waiting = null
        early.forEach((data) => this.postMessage(data))
      }
      script.onerror = () => this.dispatchEvent(new Event("error"))
      this.inside.document.body.append(script)
    }

    postMessage(data) {
      if (this.waiting) this.waiting.push(data)
      else this.inside.dispatchEvent(new MessageEvent("message", { data }))
    }

    terminate() {
      this.frame.remove()
    }
  }
}
