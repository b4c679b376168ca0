package dev.jobsmith;

import com.dylibso.chicory.compiler.internal.ByteClassCollector;
import com.dylibso.chicory.compiler.internal.ClassCollector;
import com.dylibso.chicory.compiler.internal.ClassLoadingCollector;
import com.dylibso.chicory.compiler.internal.Compiler;
import com.dylibso.chicory.compiler.internal.MachineFactory;
import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.runtime.Machine;
import com.dylibso.chicory.wasm.WasmModule;

import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

import java.util.Map;
import java.util.function.Function;

/**
 * Compiles a module to classes of Java, and keeps HotSpot from miscompiling them.
 *
 * <p>Up to Java 17 HotSpot has no node for {@link Integer#compareUnsigned}: it adds an offset and
 * compares with a sign. Two of these comparisons of one number with constants it folds into one,
 * and that wrongly (JDK-8346420; Chicory's issues 755 and 843): "less than 17 and more than 7" is
 * true for 2. The classes therefore compare as {@code long}, in methods of their own.
 */
final class Unfolded {
    private static final String CHICORY = "com/dylibso/chicory/runtime/OpcodeImpl";
    private static final String SIGNATURE = "(II)I";
    private static final long UNSIGNED = 0xffff_ffffL;

    /** For each opcode: whether its operands are exchanged, and whether its result is inverted. */
    private static final Map<String, boolean[]> COMPARISONS =
            Map.of(
                    "I32_LT_U", new boolean[] {false, false},
                    "I32_GT_U", new boolean[] {true, false},
                    "I32_LE_U", new boolean[] {true, true},
                    "I32_GE_U", new boolean[] {false, true});

    private Unfolded() {}

    static Function<Instance, Machine> compile(WasmModule module) {
        ClassCollector compiled =
                Compiler.builder(module)
                        .withClassCollectorFactory(ByteClassCollector::new)
                        .build()
                        .compile()
                        .collector();
        ClassLoadingCollector loaded = new ClassLoadingCollector();
        compiled.classBytes()
                .forEach(
                        (name, bytes) -> {
                            if (name.equals(compiled.mainClassName())) {
                                loaded.putMainClass(name, unfolded(bytes));
                            } else {
                                loaded.put(name, unfolded(bytes));
                            }
                        });
        return new MachineFactory(module, loaded.machineFactory());
    }

    private static byte[] unfolded(byte[] bytes) {
        ClassReader reader = new ClassReader(bytes);
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        reader.accept(new Redirection(writer, reader.getClassName()), 0);
        return writer.toByteArray();
    }

    /** Sends the comparisons of a class to methods that it adds to the class. */
    private static final class Redirection extends ClassVisitor {
        private final String owner;

        Redirection(ClassVisitor next, String owner) {
            super(Opcodes.ASM9, next);
            this.owner = owner;
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String name, String type, String signature, String[] exceptions) {
            MethodVisitor next = super.visitMethod(access, name, type, signature, exceptions);
            return new MethodVisitor(Opcodes.ASM9, next) {
                @Override
                public void visitMethodInsn(
                        int opcode,
                        String called,
                        String method,
                        String type,
                        boolean onInterface) {
                    boolean comparison = called.equals(CHICORY) && COMPARISONS.containsKey(method);
                    super.visitMethodInsn(
                            opcode, comparison ? owner : called, method, type, onInterface);
                }
            };
        }

        @Override
        public void visitEnd() {
            COMPARISONS.forEach((name, how) -> comparison(name, how[0], how[1]));
            super.visitEnd();
        }

        /** A method that returns whether its first argument is less, without a branch. */
        private void comparison(String name, boolean exchanged, boolean inverted) {
            int access = Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC;
            MethodVisitor code = super.visitMethod(access, name, SIGNATURE, null, null);
            code.visitCode();
            for (int argument : exchanged ? new int[] {1, 0} : new int[] {0, 1}) {
                code.visitVarInsn(Opcodes.ILOAD, argument);
                code.visitInsn(Opcodes.I2L);
                code.visitLdcInsn(UNSIGNED);
                code.visitInsn(Opcodes.LAND);
            }
            // The difference has the sign of the comparison.
            code.visitInsn(Opcodes.LSUB);
            code.visitIntInsn(Opcodes.BIPUSH, 63);
            code.visitInsn(Opcodes.LUSHR);
            code.visitInsn(Opcodes.L2I);
            if (inverted) {
                code.visitInsn(Opcodes.ICONST_1);
                code.visitInsn(Opcodes.IXOR);
            }
            code.visitInsn(Opcodes.IRETURN);
            code.visitMaxs(0, 0);
            code.visitEnd();
        }
    }
}
