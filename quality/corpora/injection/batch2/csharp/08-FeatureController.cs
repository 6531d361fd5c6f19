using System.Diagnostics;
using Microsoft.AspNetCore.Mvc;

namespace Ops;

[Route("features")]
public class FeatureController : Controller
{
    private string name = "current";
    private string unit = "app.service";

    [HttpGet]
    public string Read(string name)
    {
        return System.IO.File.ReadAllText("/etc/features/" + this.name + ".json");
    }

    [HttpGet("old")]
    public string ReadOld(string name)
    {
        return System.IO.File.ReadAllText("/etc/features/old/" + name + ".json");
    }

    [HttpPost("reload")]
    public int Reload(string service)
    {
        {
            string line = "systemctl status " + unit;
            ViewData["last"] = line;
        }
        {
            string line = "systemctl reload " + service;
            using var p = Process.Start("bash", "-c \"" + line + "\"");
            p.WaitForExit();
            return p.ExitCode;
        }
    }
}
