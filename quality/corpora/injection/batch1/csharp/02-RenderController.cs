using System.Diagnostics;
using Microsoft.AspNetCore.Mvc;

namespace Studio.Api;

public class RenderJob
{
    public string Scene { get; set; } = "default";
    public string Engine { get; set; } = "eevee";
    public string Output { get; } = "/srv/renders/out.png";
}

public class Renderer
{
    private readonly RenderJob _job;

    public Renderer(RenderJob job) => _job = job;

    public void Start()
    {
        Process.Start("/bin/sh", $"-c \"blender -b {_job.Scene}.blend -E {_job.Engine} -f 1\"");
    }

    public void Touch()
    {
        Process.Start("/bin/sh", $"-c \"touch {_job.Output}\"");
    }
}

[ApiController]
[Route("render")]
public class RenderController : ControllerBase
{
    [HttpPost]
    public IActionResult Post([FromForm] string scene)
    {
        var job = new RenderJob();
        job.Scene = scene;
        var renderer = new Renderer(job);
        renderer.Touch();
        renderer.Start();
        return Accepted();
    }
}
